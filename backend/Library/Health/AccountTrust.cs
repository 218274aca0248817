using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>Judges from an account's earlier answers how far it can be trusted. Pure.</summary>
public static class AccountTrust
{
    /// <summary>Posts that an account must deny on one day before it is distrusted.</summary>
    public const int LeastDenied = 10;

    /// <summary>Share of the posts it had that an account may deny on one day without being distrusted, 0 … 1.</summary>
    public const double MostDenied = 0.2;

    /// <summary>
    /// Posts that an account must deny to be distrusted if they are nearly all that it was asked for. Days on which it denied everything
    /// count together: a small library, which is asked for one post a day, never reaches <see cref="LeastDenied"/>.
    /// </summary>
    public const int LeastOfNearlyAll = 3;

    /// <summary>Number of consistent answers that end the distrust.</summary>
    public const int Enough = 5;

    /// <summary>Shortest duration of the distrust.</summary>
    public static readonly TimeSpan LeastDoubt = TimeSpan.FromDays(1);

    /// <summary>
    /// How long an account that denies nearly everything stays distrusted although its BODY agrees with its STAT: it is more likely out of
    /// order than empty. After this time it is believed.
    /// </summary>
    public static readonly TimeSpan LongDoubt = TimeSpan.FromDays(14);

    private const double NearlyAll = 0.8;

    /// <summary>Most false answers that are counted. Each post for which STAT denies an article takes one off.</summary>
    private const int MaxFalseStats = 16;

    /// <summary>
    /// True if a positive STAT proves nothing: the account confirmed articles that it could not deliver, more than once, and its STAT has
    /// not denied articles of as many posts since.
    /// </summary>
    public static bool HasFalseStat(this HealthAccount account)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.FalseStats > 1;
    }

    /// <summary>Records that its STAT denied articles of a post: it does not confirm everything.</summary>
    public static HealthAccount AfterTruthfulStat(this HealthAccount account)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.FalseStats == 0 ? account : account with { FalseStats = account.FalseStats - 1 };
    }

    /// <summary>Records the answer for a post of which the account had articles when last asked.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="denied">It denies all of them now.</param>
    /// <param name="now">Now.</param>
    public static HealthAccount AfterPost(this HealthAccount account, bool denied, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        var day = now.UtcTicks / TimeSpan.TicksPerDay;
        if (account.Day != day)
        {
            // A day ends a count, unless nothing but denials was counted.
            var goesOn = account.DistrustedSince is null && account.Denied == account.PostsAsked;
            account = account with
            {
                Day = day,
                PostsAsked = goesOn ? account.PostsAsked : 0,
                Denied = goesOn ? account.Denied : 0,
            };
        }

        account = account with { PostsAsked = account.PostsAsked + 1, Denied = account.Denied + (denied ? 1 : 0) };
        if (account.DistrustedSince is null)
            return account.Denied >= LeastDenied && account.Denied > MostDenied * account.PostsAsked
                || account.Denied >= LeastOfNearlyAll && account.Denied > NearlyAll * account.PostsAsked
                ? account with { DistrustedSince = now, Agreed = 0, Returned = 0 } : account;
        return (account with { Returned = account.Returned + (denied ? 0 : 1) }).EndDistrust(now);
    }

    /// <summary>Records the BODY result for an article that a distrusted account denied by STAT.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="missing">BODY was answered with 430 too.</param>
    /// <param name="now">Now.</param>
    public static HealthAccount AfterDenied(this HealthAccount account, bool missing, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        return (account with { Agreed = missing ? account.Agreed + 1 : 0 }).EndDistrust(now);
    }

    /// <summary>Records the BODY result for an article that its STAT confirmed.</summary>
    /// <param name="account">What was known.</param>
    /// <param name="found">The body arrived.</param>
    public static HealthAccount AfterBody(this HealthAccount account, bool found)
    {
        ArgumentNullException.ThrowIfNull(account);
        var falseStats = found ? account.FalseStats : Math.Min(MaxFalseStats, account.FalseStats + 1);
        return account with { Bodies = account.Bodies + 1, FalseStats = falseStats };
    }

    /// <summary>
    /// True if an article that a distrusted account denies is worth fetching: not on the first day, when BODY would only repeat the false
    /// answers.
    /// </summary>
    public static bool ShouldFetchProof(this HealthAccount account, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(account);
        return account.DistrustedSince is { } since && now - since >= LeastDoubt;
    }

    private static HealthAccount EndDistrust(this HealthAccount account, DateTimeOffset now)
    {
        if (account.DistrustedSince is not { } since || now - since < LeastDoubt)
            return account with { Agreed = 0, Returned = 0 };
        var returned = account.Returned >= Enough && account.Denied <= MostDenied * account.PostsAsked;
        var agreed = account.Agreed >= Enough && (account.Denied <= NearlyAll * account.PostsAsked || now - since >= LongDoubt);
        return returned || agreed ? account with { DistrustedSince = null, Agreed = 0, Returned = 0, PostsAsked = 0, Denied = 0 } : account;
    }
}
