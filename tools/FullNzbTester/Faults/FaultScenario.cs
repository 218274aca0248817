using NzbDav.MockUsenet.Faults;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>One fault while films are read. At least one provider has every article intact, so every byte can be right.</summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="Title">Its name in the table.</param>
/// <param name="Begin">Action before the server starts; null for none.</param>
/// <param name="Midway">Action once a quarter has been read; null for none.</param>
internal sealed record FaultScenario(string Name, string Title, Action<ProviderPair>? Begin, Action<ProviderPair>? Midway = null)
{
    /// <summary>True: the second provider is a backup (priority 1). False: both have the same priority.</summary>
    public bool IsTiered { get; init; }

    /// <summary>The lowered connection limit.</summary>
    private const int LoweredCap = 2;

    /// <summary>Fewest articles struck at each provider: half of them may be requested from the other.</summary>
    private const int Fewest = 4;

    /// <summary>Bytes per second on each connection of the slow provider.</summary>
    private const int SlowRate = 50_000;

    /// <summary>All scenarios, in the table's order.</summary>
    public static IReadOnlyList<FaultScenario> All { get; } =
    [
        new("missing-1", "missing 1 %", pair => Strike(pair, 0.01, Fault.Missing)),
        new("missing-5", "missing 5 %", pair => Strike(pair, 0.05, Fault.Missing)),
        new("corrupt-1", "corrupt 1 %", pair => Strike(pair, 0.01, Fault.Corrupt)),
        new("stall-1", "stall 1 %", pair => Strike(pair, 0.01, Fault.Stall(), times: 1)),
        new("drop-1", "drop 1 %", pair => Strike(pair, 0.01, Fault.Drop(), times: 1)),
        new("slow", "slow provider", pair => pair.First.Faults.Add(Fault.Slow(SlowRate), FaultTarget.All)),
        new("down", "provider down mid-stream", null, Down),
        new("cap", "cap lowered mid-stream", null, LowerCap),
        new("login", "login refused", pair => pair.First.RefuseLogins = int.MaxValue),
        new("body", "BODY refused", pair => pair.First.RefuseBodies = true),
        new("reset-1", "reset 1 % (over TLS: amid a record)", pair => Strike(pair, 0.01, Fault.Drop(reset: true), times: 1)),
        new("stat", "STAT lies for 5 %", pair => Strike(pair, 0.05, Fault.StatLies)),
        new("primary-down", "primary down mid-stream", null, Down) { IsTiered = true },
        new("primary-frozen", "primary freezes mid-stream", null, static pair => pair.First.IsFrozen = true) { IsTiered = true },
        new("primary-silent", "primary never greets", static pair => pair.First.IsFrozen = true) { IsTiered = true },
    ];

    /// <summary>Finds a scenario by name; null if there is none.</summary>
    public static FaultScenario? Find(string name) => All.FirstOrDefault(scenario => scenario.Name == name);

    /// <summary>Resets all connections and accepts no more.</summary>
    public static void Down(ProviderPair pair)
    {
        pair.First.RefuseConnections = true;
        pair.First.DropConnections();
    }

    /// <summary>Lowers the connection limit to two and ends all other connections.</summary>
    public static void LowerCap(ProviderPair pair)
    {
        pair.First.MaxConnections = LoweredCap;
        pair.First.DropConnections(keep: LoweredCap);
    }

    /// <summary>
    /// Applies a fault to a share of all articles at each provider, never to the same article at both. The seed selects them.
    /// </summary>
    public static void Strike(ProviderPair pair, double share, Fault fault, int times = int.MaxValue)
    {
        string[] ids = [.. pair.Store.Files.SelectMany(file => file.Segments).Select(segment => segment.MessageId)];
        new Random(pair.Seed).Shuffle(ids);
        var each = Math.Clamp((int)Math.Round(ids.Length * share), Math.Min(Fewest, ids.Length / 2), ids.Length / 2);
        pair.First.Faults.Add(fault, FaultTarget.Ids(ids[..each]), times);
        pair.Second.Faults.Add(fault, FaultTarget.Ids(ids[each..Math.Min(ids.Length, 2 * each)]), times);
    }
}
