using System.Collections.Frozen;
using System.Text;

namespace NzbDav.WebDav.Store;

/// <summary>
/// Canonical composition (Unicode Standard Annex 15) of names: a Mac sends <c>u</c> and a diaeresis where other systems send <c>ü</c>. The
/// runtime's own <see cref="string.Normalize()"/> does nothing here, because the server runs without the data of ICU.
/// </summary>
internal static class Composition
{
    private const int HangulFirst = 0xAC00, LeadFirst = 0x1100, VowelFirst = 0x1161, TailBefore = 0x11A7;
    private const int Leads = 19, Vowels = 21, Tails = 28;

    // The primary composites of the basic plane, from UnicodeData.txt of Unicode 16: for each mark the base and the composite, alternating.
    private static readonly string[] Composites =
    [
        "\u0300AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳ\u00A8\u1FEDÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờƯỪưừΑᾺΕῈΗῊΙῚΟῸΥῪΩῺαὰεὲηὴιὶοὸυὺωὼϊῒϋῢЕЀИЍ" +
            "еѐиѝἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫ\u1FBF\u1FCD\u1FFE\u1FDD",
        "\u0301AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃyýzź\u00A8\u0385ÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯôốõṍ" +
            "øǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớƯỨưứΑΆΕΈΗΉΙΊΟΌΥΎΩΏαάεέηήιίοόυύωώϊΐϋΰϒϓГЃКЌгѓкќἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤ" +
            "ὡὥὨὬὩὭ\u1FBF\u1FCE\u1FFE\u1FDE",
        "\u0302AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶZẐaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷzẑẠẬạậẸỆẹệỌỘọộ",
        "\u0303AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ",
        "\u0304AĀEĒGḠIĪOŌUŪYȲaāeēgḡiīoōuūyȳÄǞÆǢÕȬÖȪÜǕäǟæǣõȭöȫüǖǪǬǫǭȦǠȧǡȮȰȯȱΑᾹΙῙΥῩαᾱιῑυῡИӢУӮиӣуӯḶḸḷḹṚṜṛṝ",
        "\u0306AĂEĔGĞIĬOŎUŬaăeĕgğiĭoŏuŭȨḜȩḝΑᾸΙῘΥῨαᾰιῐυῠАӐЕӖЖӁИЙУЎаӑеӗжӂийуўẠẶạặ",
        "\u0307AȦBḂCĊDḊEĖFḞGĠHḢIİMṀNṄOȮPṖRṘSṠTṪWẆXẊYẎZŻaȧbḃcċdḋeėfḟgġhḣmṁnṅoȯpṗrṙsṡtṫwẇxẋyẏzżŚṤśṥŠṦšṧſẛṢṨṣṩ",
        "\u0308AÄEËHḦIÏOÖUÜWẄXẌYŸaäeëhḧiïoötẗuüwẅxẍyÿÕṎõṏŪṺūṻΙΪΥΫιϊυϋϒϔІЇАӒЕЁЖӜЗӞИӤОӦУӰЧӴЫӸЭӬаӓеёжӝзӟиӥоӧуӱчӵыӹэӭіїӘӚәӛӨӪөӫ",
        "\u0309AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử",
        "\u030AAÅUŮaåuůwẘyẙ",
        "\u030BOŐUŰoőuűУӲуӳ",
        "\u030CAǍCČDĎEĚGǦHȞIǏKǨLĽNŇOǑRŘSŠTŤUǓZŽaǎcčdďeěgǧhȟiǐjǰkǩlľnňoǒrřsštťuǔzžÜǙüǚƷǮʒǯ",
        "\u030FAȀEȄIȈOȌRȐUȔaȁeȅiȉoȍrȑuȕѴѶѵѷ",
        "\u0311AȂEȆIȊOȎRȒUȖaȃeȇiȋoȏrȓuȗ",
        "\u0313ΑἈΕἘΗἨΙἸΟὈΩὨαἀεἐηἠιἰοὀρῤυὐωὠ",
        "\u0314ΑἉΕἙΗἩΙἹΟὉΡῬΥὙΩὩαἁεἑηἡιἱοὁρῥυὑωὡ",
        "\u031BOƠUƯoơuư",
        "\u0323AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣtṭuụvṿwẉyỵzẓƠỢơợƯỰưự",
        "\u0324UṲuṳ",
        "\u0325AḀaḁ",
        "\u0326SȘTȚsștț",
        "\u0327CÇDḐEȨGĢHḨKĶLĻNŅRŖSŞTŢcçdḑeȩgģhḩkķlļnņrŗsştţ",
        "\u0328AĄEĘIĮOǪUŲaąeęiįoǫuų",
        "\u032DDḒEḘLḼNṊTṰUṶdḓeḙlḽnṋtṱuṷ",
        "\u032EHḪhḫ",
        "\u0330EḚIḬUṴeḛiḭuṵ",
        "\u0331BḆDḎKḴLḺNṈRṞTṮZẔbḇdḏhẖkḵlḻnṉrṟtṯzẕ",
        "\u0338\u003C\u226E\u003D\u2260\u003E\u226F\u2190\u219A\u2192\u219B\u2194\u21AE\u21D0\u21CD\u21D2\u21CF\u21D4\u21CE" +
            "\u2203\u2204\u2208\u2209\u220B\u220C\u2223\u2224\u2225\u2226\u223C\u2241\u2243\u2244\u2245\u2247\u2248\u2249" +
            "\u224D\u226D\u2261\u2262\u2264\u2270\u2265\u2271\u2272\u2274\u2273\u2275\u2276\u2278\u2277\u2279\u227A\u2280" +
            "\u227B\u2281\u227C\u22E0\u227D\u22E1\u2282\u2284\u2283\u2285\u2286\u2288\u2287\u2289\u2291\u22E2\u2292\u22E3" +
            "\u22A2\u22AC\u22A8\u22AD\u22A9\u22AE\u22AB\u22AF\u22B2\u22EA\u22B3\u22EB\u22B4\u22EC\u22B5\u22ED",
        "\u0342\u00A8\u1FC1αᾶηῆιῖυῦωῶϊῗϋῧἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯ\u1FBF\u1FCF\u1FFE\u1FDF",
        "\u0345ΑᾼΗῌΩῼάᾴήῄαᾳηῃωῳώῴἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮὯᾯὰᾲ" +
            "ὴῂὼῲᾶᾷῆῇῶῷ",
        "\u0653\u0627\u0622",
        "\u0654\u0627\u0623\u0648\u0624\u064A\u0626\u06C1\u06C2\u06D2\u06D3\u06D5\u06C0",
        "\u0655\u0627\u0625",
        "\u093C\u0928\u0929\u0930\u0931\u0933\u0934",
        "\u09BE\u09C7\u09CB",
        "\u09D7\u09C7\u09CC",
        "\u0B3E\u0B47\u0B4B",
        "\u0B56\u0B47\u0B48",
        "\u0B57\u0B47\u0B4C",
        "\u0BBE\u0BC6\u0BCA\u0BC7\u0BCB",
        "\u0BD7\u0B92\u0B94\u0BC6\u0BCC",
        "\u0C56\u0C46\u0C48",
        "\u0CC2\u0CC6\u0CCA",
        "\u0CD5\u0CBF\u0CC0\u0CC6\u0CC7\u0CCA\u0CCB",
        "\u0CD6\u0CC6\u0CC8",
        "\u0D3E\u0D46\u0D4A\u0D47\u0D4B",
        "\u0D57\u0D46\u0D4C",
        "\u0DCA\u0DD9\u0DDA\u0DDC\u0DDD",
        "\u0DCF\u0DD9\u0DDC",
        "\u0DDF\u0DD9\u0DDE",
        "\u102E\u1025\u1026",
        "\u1B35\u1B05\u1B06\u1B07\u1B08\u1B09\u1B0A\u1B0B\u1B0C\u1B0D\u1B0E\u1B11\u1B12\u1B3A\u1B3B\u1B3C\u1B3D\u1B3E\u1B40" +
            "\u1B3F\u1B41\u1B42\u1B43",
        "\u3099うゔかがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼ\u309D\u309Eウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボワヷヰヸヱヹヲヺ\u30FD\u30FE",
        "\u309Aはぱひぴふぷへぺほぽハパヒピフプヘペホポ",
    ];

    private static readonly FrozenDictionary<(char Base, char Mark), char> Pairs = Composites
        .SelectMany(static row => Enumerable.Range(0, row.Length / 2).Select(pair => ((row[(2 * pair) + 1], row[0]), row[(2 * pair) + 2])))
        .ToFrozenDictionary(static pair => pair.Item1, static pair => pair.Item2);

    private static readonly FrozenSet<char> Marks = Composites.Select(static row => row[0]).ToFrozenSet();

    /// <summary>The name with each mark composed with the letter before it; the same name if there is nothing to compose.</summary>
    public static string Compose(string name)
    {
        if (!name.AsSpan().ContainsAnyExceptInRange('\0', '\u02FF') || !IsDecomposed(name))
            return name;
        var composed = new StringBuilder(name.Length);

        // Index of the letter that a mark would compose with. A mark that does not compose stays, and those after it are still tried.
        var letter = -1;
        foreach (var next in name)
        {
            if (letter >= 0 && TryJoin(composed[letter], next, isAdjacent: letter == composed.Length - 1) is { } joined)
            {
                composed[letter] = joined;
                continue;
            }

            if (!Marks.Contains(next))
                letter = composed.Length;
            composed.Append(next);
        }

        return composed.ToString();
    }

    private static bool IsDecomposed(string name)
    {
        foreach (var next in name)
        {
            if (Marks.Contains(next) || next is >= (char)VowelFirst and <= (char)(TailBefore + Tails))
                return true;
        }

        return false;
    }

    private static char? TryJoin(char before, char next, bool isAdjacent)
    {
        if (Pairs.TryGetValue((before, next), out var joined))
            return joined;
        if (!isAdjacent)
            return null;
        if (before - LeadFirst is >= 0 and < Leads && next - VowelFirst is >= 0 and < Vowels)
            return (char)(HangulFirst + (((((before - LeadFirst) * Vowels) + next) - VowelFirst) * Tails));
        return before - HangulFirst is >= 0 and < Leads * Vowels * Tails && (before - HangulFirst) % Tails == 0
            && next - TailBefore is > 0 and < Tails
            ? (char)(before + next - TailBefore)
            : null;
    }
}
