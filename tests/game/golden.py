"""One record written out in full, in each of its forms."""

TEXT = """\
dealer     North
North      BB S:AK4 H:10
East       S:QJ H:3 D:95
South      S:98 D:AK C:4
West       LB H:K D:3 C:KQ
turned     2H
stock      7C 2D
trump      hearts 2H
bids       East pass  South 2  West board  North double
outcome    played
leader     North
1          North BB  3H  4C  LB   North
2          North 10H JS  8S  KH   West
3          West  KC  4S  QS  9S   West
4          West  3D  AS  9D  AD   South
5          South KD  QC  KS  5D   South
contracts  NS double  EW board
won        North 1  East 0  South 2  West 2
points     NS -100  EW -50
"""

PICTURE = """\
5 cards, dealer North, 2♥ turned: trump ♥

        North
        ♠ A K 4
        ♥ BB 10
        ♦ –
        ♣ –
West             East
♠ –              ♠ Q J
♥ LB K           ♥ 3
♦ 3              ♦ 9 5
♣ K Q            ♣ –
        South
        ♠ 9 8
        ♥ –
        ♦ A K
        ♣ 4

Bids   East pass, South 2, West board, North double

Trick   North  East   South  West     > leads, * wins
    1  >BB*    3♥     4♣     LB
    2  >10♥    J♠     8♠     K♥*
    3   4♠     Q♠     9♠    >K♣*
    4   A♠     9♦     A♦*   >3♦
    5   K♠     5♦    >K♦*    Q♣

Side   contract   tricks   points
NS     double          3     -100
EW     board           2      -50
"""

SWAP = """\
dealer     South
North      D:7
East       BB
South      S:2
West       H:A
turned     LB
stock      10C
trump      none LB
swap       East BB 10C
bids       West pass  North pass  East board  South pass
outcome    played
leader     East
1          East  10C 2S  AH  7D   East
contracts  NS 0  EW board
won        North 0  East 1  South 0  West 0
points     NS 0  EW 10
"""
