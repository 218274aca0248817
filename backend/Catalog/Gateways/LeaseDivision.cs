namespace NzbDav.Catalog.Gateways;

/// <summary>
/// Divides an account's connections among gateways, from the view of one of them. Each gateway decides only its own share, and raises it
/// only by connections that nobody has.
/// <list type="number">
/// <item>Each gateway gets what its requests use or wait for, if there is enough. Otherwise all get equal parts, and what some do not want
/// goes to those who want more.</item>
/// <item>The rest stays with those who have it, so that a pause between two reads costs no logins.</item>
/// <item>Connections that nobody has, and those that a gateway has not used for a minute, are divided equally: warm connections for the
/// next read.</item>
/// </list>
/// </summary>
internal static class LeaseDivision
{
    /// <summary>
    /// A gateway that wants nothing still gets one connection, for the first article of its next read, if the account allows at least this
    /// many per gateway.
    /// </summary>
    private const int ReserveFrom = 4;

    /// <summary>The share of a gateway.</summary>
    /// <param name="gateway">Its name.</param>
    /// <param name="request">What it needs.</param>
    /// <param name="own">Its current share; 0 once others may have taken it.</param>
    /// <param name="others">The other gateways of the account, except those that gave up their share.</param>
    public static GrantedLease Of(string gateway, LeaseRequest request, int own, IReadOnlyList<GatewayLease> others)
    {
        var goal = TargetOf(gateway, request, own, others);
        var free = request.Most - others.Sum(static other => other.Granted);

        // What it keeps of its own share does not raise the sum, even when the account allows fewer than before.
        var share = Math.Max(Math.Min(Math.Max(request.Kept, goal), free), Math.Min(request.Kept, own));
        return new GrantedLease(request.Account, Math.Max(0, share), goal);
    }

    private static int TargetOf(string gateway, LeaseRequest request, int own, IReadOnlyList<GatewayLease> others)
    {
        // The largest shares come first, so that an odd connection stays where it is.
        GatewayLease[] live = [new(gateway, own, request.Wanted, IsLive: true), .. others.Where(static other => other.IsLive)];
        Array.Sort(live, static (one, other) => one.Granted != other.Granted
            ? other.Granted.CompareTo(one.Granted) : string.CompareOrdinal(one.Gateway, other.Gateway));
        var self = Array.FindIndex(live, one => one.Gateway == gateway);
        var most = Math.Max(0, request.Most - others.Where(static other => !other.IsLive).Sum(static other => other.Granted));
        var equal = most / live.Length;

        var reserve = equal >= ReserveFrom ? 1 : 0;
        var needed = Distribute(most, [.. live.Select(one => Math.Clamp(one.Wanted, reserve, Math.Max(reserve, most)))]);
        var left = most - needed.Sum();
        var spare = live.Select((one, index) =>
            Math.Max(0, (index == self ? Math.Min(own, Math.Max(request.Recent, equal)) : one.Granted) - needed[index])).ToArray();
        var kept = Distribute(left, spare);
        left -= kept.Sum();
        var goal = needed[self] + kept[self];
        return goal + Math.Clamp(equal - goal, 0, left);
    }

    /// <summary>Fills all vessels evenly until each is full. A remainder that cannot be split goes to the first ones.</summary>
    private static int[] Distribute(int amount, int[] vessels)
    {
        var filled = new int[vessels.Length];
        while (amount > 0)
        {
            var open = Enumerable.Range(0, vessels.Length).Where(index => filled[index] < vessels[index]).ToArray();
            if (open.Length == 0)
                break;
            var rise = Math.Min(amount / open.Length, open.Min(index => vessels[index] - filled[index]));
            if (rise == 0)
            {
                foreach (var index in open.Take(amount))
                    filled[index]++;
                break;
            }

            foreach (var index in open)
                filled[index] += rise;
            amount -= rise * open.Length;
        }

        return filled;
    }
}

/// <summary>Another gateway's share of an account.</summary>
/// <param name="Gateway">Its name.</param>
/// <param name="Granted">Connections that it may have.</param>
/// <param name="Wanted">Connections that its requests use or wait for.</param>
/// <param name="IsLive">False once its lease has ended: it wants nothing, but may not have closed its connections yet.</param>
internal readonly record struct GatewayLease(string Gateway, int Granted, int Wanted, bool IsLive);
