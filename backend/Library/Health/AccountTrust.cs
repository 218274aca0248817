using NzbDav.Catalog;

namespace NzbDav.Library.Health;

/// <summary>What an account's answers are worth, learned from what it said before. Pure.</summary>
public static class AccountTrust
{
    /// <summary>Posts that an account must deny on one day before it is doubted.</summary>
    public const int LeastDenied = 10;

    /// <summary>The largest share of the posts it had that an account may deny on one day, 0 … 1.</summary>
    public const double MostDenied = 0.2;

    /// <summary>Answers that end a doubt.</summary>
    public const int Enough = 5;

    /// <summary>A doubt lasts for so long at least.</summary>
    public static readonly TimeSpan LeastDoubt = TimeSpan.FromDays(1);

    /// <summary>An account that denies nearly everything is more likely out of order than empty: its BODY agrees with its STAT then. It is believed after this time.</summary>
    public static readonly TimeSpan LongDoubt = TimeSpan.FromDays(14);

    private const double NearlyAll = 0.8;

    /// <summary>Lies that are remembered: so many posts it must tell the truth of to be believed again.</summary>
    private const int MostLies = 16;

    /// <summary>True if its yes to a STAT proves nothing: it said so more than once of what it could not deliver, and has not told the truth of as many posts since.</summary>
    public static bool LiesByStat(this HealthAccount account)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.Lies > 1;
    }

    /// <summary>It said by STAT that it does not have articles of a post, as one does whose STAT tells the truth.</summary>
    public static HealthAccount AfterHonest(this HealthAccount account)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.Lies == 0 ? account : account with { Lies = account.Lies - 1 };
    }

    /// <summary>A post was asked for of which it had articles when last asked.</summary>
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
            return account.Denied >= LeastDenied && account.Denied > MostDenied * account.Asked ? account with { Doubted = now, Agreed = 0, Returned = 0 } : account;
        return (account with { Returned = account.Returned + (denied ? 0 : 1) }).Settle(now);
    }

    /// <summary>An article that a doubted account denies was fetched.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="missing">BODY was a 430 as well.</param>
    /// <param name="now">Now.</param>
    public static HealthAccount AfterDenied(this HealthAccount account, bool missing, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        return (account with { Agreed = missing ? account.Agreed + 1 : 0 }).Settle(now);
    }

    /// <summary>An article was fetched after its STAT said yes.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="found">It came.</param>
    public static HealthAccount AfterBody(this HealthAccount account, bool found)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account with { Bodies = account.Bodies + 1, Lies = found ? account.Lies : Math.Min(MostLies, account.Lies + 1) };
    }

    /// <summary>Whether a denied article of a doubted account is worth fetching: not on the first day, whose lies would agree with themselves.</summary>
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
