using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>
/// Three accounts that answer truthfully unless told otherwise; what each has is known at any time. Articles are named
/// <c>JOB.NUMBER@test</c>. Counts requests by day.
/// </summary>
internal sealed class SimulatedNews(TimeProvider time) : IArticleProber
{
    public static readonly string[] Names = ["Alpha", "Bravo", "Charlie"];

    private readonly Dictionary<(string Account, int Job), DateTimeOffset> _gone = [];

    /// <summary>Jobs that only one account has from the start.</summary>
    public Dictionary<int, string> Only { get; } = [];

    /// <summary>Jobs that were repaired.</summary>
    public HashSet<int> Made { get; } = [];

    /// <summary>Accounts that currently do not answer.</summary>
    public HashSet<string> Away { get; } = [];

    /// <summary>Accounts that currently deny everything, by STAT and by BODY.</summary>
    public HashSet<string> Denying { get; } = [];

    /// <summary>Accounts whose STAT confirms every article.</summary>
    public HashSet<string> YesMen { get; } = [];

    public Dictionary<DateOnly, int> Stats { get; } = [];

    public int Bodies { get; private set; }

    public IReadOnlyList<ProbedAccount> Accounts =>
        [.. Names.Select(name => new ProbedAccount(name, !Away.Contains(name), IsMetered: false))];

    public bool IsBusy { get; set; }

    /// <summary>Called before each STAT.</summary>
    public Action? BeforeStat { get; set; }

    public bool HasPatch(string article) => Made.Contains(JobOf(article));

    /// <summary>Takes a whole job down.</summary>
    public void TakeDown(int job, string account, DateTimeOffset at) => _gone[(account, job)] = at;

    /// <summary>Makes every account have the job again.</summary>
    public void Restore(int job)
    {
        foreach (var name in Names)
            _gone.Remove((name, job));
    }

    /// <summary>Whether any account really has the job now.</summary>
    public bool IsAlive(int job) => Array.Exists(Names, name => Has(name, job));

    /// <summary>When the last account lost the job; null if never.</summary>
    public DateTimeOffset? DeadSince(int job)
    {
        var ends = Names.Where(name => !Only.TryGetValue(job, out var only) || only == name)
            .Select(name => _gone.TryGetValue((name, job), out var at) ? at : DateTimeOffset.MaxValue).Max();
        return ends == DateTimeOffset.MaxValue ? null : ends;
    }

    public Task<ArticleAnswer> StatAsync(string account, string article, CancellationToken cancellationToken)
    {
        var day = DateOnly.FromDateTime(time.GetUtcNow().UtcDateTime);
        BeforeStat?.Invoke();
        Stats[day] = Stats.GetValueOrDefault(day) + 1;
        return Task.FromResult(
            Away.Contains(account) ? ArticleAnswer.Unknown : YesMen.Contains(account) ? ArticleAnswer.Has : Truth(account, article));
    }

    public Task<ArticleAnswer> BodyAsync(string account, string article, CancellationToken cancellationToken)
    {
        Bodies++;
        return Task.FromResult(Away.Contains(account) ? ArticleAnswer.Unknown : Truth(account, article));
    }

    private ArticleAnswer Truth(string account, string article) =>
        !Denying.Contains(account) && Has(account, JobOf(article)) ? ArticleAnswer.Has : ArticleAnswer.Missing;

    private static int JobOf(string article) =>
        int.Parse(article.AsSpan(0, article.IndexOf('.', StringComparison.Ordinal)), System.Globalization.CultureInfo.InvariantCulture);

    private bool Has(string account, int job) =>
        (!Only.TryGetValue(job, out var only) || only == account)
            && !(_gone.TryGetValue((account, job), out var at) && at <= time.GetUtcNow());
}
