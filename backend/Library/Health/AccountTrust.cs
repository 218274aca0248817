using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>Judges how far an account's answers can be trusted, from its earlier answers. Pure.</summary>
public static class AccountTrust
{
    /// <summary>Posts that an account must deny on one day before it is doubted.</summary>
    public const int LeastDenied = 10;

    /// <summary>The largest share of the posts it had that an account may deny on one day, 0 … 1.</summary>
    public const double MostDenied = 0.2;

    /// <summary>Answers that end a doubt.</summary>
    public const int Enough = 5;

    /// <summary>The least time that a doubt lasts.</summary>
    public static readonly TimeSpan LeastDoubt = TimeSpan.FromDays(1);

    /// <summary>How long an account whose BODY agrees with its STAT stays doubted: one that denies nearly everything is more likely out of
    /// order than empty. After this time it is believed.</summary>
    public static readonly TimeSpan LongDoubt = TimeSpan.FromDays(14);

    private const double NearlyAll = 0.8;

    /// <summary>The most false answers remembered; an account needs truthful answers for as many posts to be believed again.</summary>
    private const int MostLies = 16;

    /// <summary>True if a positive STAT proves nothing: more than once the account confirmed articles that it could not deliver, without
    /// truthful answers for as many posts since.</summary>
    public static bool LiesByStat(this HealthAccount account)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.Lies > 1;
    }

    /// <summary>Records that its STAT correctly denied articles of a post.</summary>
    public static HealthAccount AfterHonest(this HealthAccount account)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.Lies == 0 ? account : account with { Lies = account.Lies - 1 };
    }

    /// <summary>Records the answer for a post of which it had articles when last asked.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="denied">It has none of them now.</param>
    /// <param name="now">Now.</param>
    public static HealthAccount AfterPost(this HealthAccount account, bool denied, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        var day = now.UtcTicks / TimeSpan.TicksPerDay;
        if (account.Day != day)
            account = account with { Day = day, Asked = 0, Denied = 0 };
        account = account with { Asked = account.Asked + 1, Denied = account.Denied + (denied ? 1 : 0) };
        if (account.Doubted is null)
            return account.Denied >= LeastDenied && account.Denied > MostDenied * account.Asked
                ? account with { Doubted = now, Agreed = 0, Returned = 0 } : account;
        return (account with { Returned = account.Returned + (denied ? 0 : 1) }).Settle(now);
    }

    /// <summary>Records the BODY result for an article that a doubted account denied by STAT.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="missing">BODY was a 430 as well.</param>
    /// <param name="now">Now.</param>
    public static HealthAccount AfterDenied(this HealthAccount account, bool missing, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        return (account with { Agreed = missing ? account.Agreed + 1 : 0 }).Settle(now);
    }

    /// <summary>Records the BODY result for an article that its STAT confirmed.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="found">It came.</param>
    public static HealthAccount AfterBody(this HealthAccount account, bool found)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account with { Bodies = account.Bodies + 1, Lies = found ? account.Lies : Math.Min(MostLies, account.Lies + 1) };
    }

    /// <summary>Whether a denied article of a doubted account is worth fetching: not on the first day, when its BODY would repeat the same
    /// false answers.</summary>
    public static bool WantsProof(this HealthAccount account, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.Doubted is { } since && now - since >= LeastDoubt;
    }

    private static HealthAccount Settle(this HealthAccount account, DateTimeOffset now)
    {
        if (account.Doubted is not { } since || now - since < LeastDoubt)
            return account with { Agreed = 0, Returned = 0 };
        var returned = account.Returned >= Enough && account.Denied <= MostDenied * account.Asked;
        var agreed = account.Agreed >= Enough && (account.Denied <= NearlyAll * account.Asked || now - since >= LongDoubt);
        return returned || agreed ? account with { Doubted = null, Agreed = 0, Returned = 0, Asked = 0, Denied = 0 } : account;
    }
}
