using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>
/// One check of one post. Each article is asked of one account after the other until one has it, beginning with a different account each
/// time: a complete post costs one STAT per article, and in time every account is asked. <see cref="AccountTrust"/> weighs the answers.
/// Used once.
/// </summary>
/// <param name="prober">The accounts.</param>
/// <param name="quota">The day's quota.</param>
/// <param name="known">What is known of the accounts.</param>
/// <param name="now">The time of the check.</param>
internal sealed class PostCheck(
    IArticleProber prober, CheckQuota quota, IReadOnlyDictionary<string, HealthAccount> known, DateTimeOffset now)
{
    /// <summary>
    /// Most articles that one check fetches because an account's STAT proves nothing. An article that a distrusted account denies counts as
    /// half of them.
    /// </summary>
    private const int MostBodies = 4;

    /// <summary>One check in this many fetches a sample from an account that has told the truth so far.</summary>
    private const int BodyEvery = 4;

    private readonly HashSet<string> _present = new(StringComparer.Ordinal);
    private readonly Dictionary<string, long> _gone = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (int Yes, int No)> _answers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HealthAccount> _accounts = new(known, StringComparer.Ordinal);
    private readonly SortedSet<string> _silent = new(StringComparer.Ordinal);
    private readonly HashSet<string> _distrusted = new(StringComparer.Ordinal);
    private readonly HashSet<string> _truthful = new(StringComparer.Ordinal);
    private int _unclear;
    private int _bodies = MostBodies;
    private bool _cut;
    private bool _foundFalseStat;

    /// <summary>Runs the check.</summary>
    /// <param name="post">The post.</param>
    /// <param name="articles">The articles to ask for, each with its file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<CheckFinding> RunAsync(
        HealthPost post, IReadOnlyCollection<KeyValuePair<string, long>> articles, CancellationToken cancellationToken)
    {
        var accounts = prober.Accounts;
        var turn = post.Checks;
        foreach (var (article, file) in articles)
        {
            if (_cut)
                break;
            await CheckArticleAsync(article, file, accounts, turn++, cancellationToken);
        }

        if (post.Checks % BodyEvery == 0 && !_cut)
            await SampleAsync(accounts, cancellationToken);
        foreach (var account in post.Had.Where(_answers.ContainsKey))
        {
            var (yes, no) = _answers[account];
            if (yes > 0 || no > 1)
            {
                var trusted = Of(account).DistrustedSince is null;
                SetAccount(account, Of(account).AfterPost(denied: yes == 0, now));
                if (trusted && Of(account).DistrustedSince is not null)
                    Disregard(account);
            }
        }

        foreach (var account in _truthful.Where(account => Of(account).FalseStats > 0))
            SetAccount(account, Of(account).AfterTruthfulStat());
        var had = accounts.Where(account => Has(post, account.Name)).Select(account => account.Name).ToArray();
        return new CheckFinding(_present, _gone, _unclear, [.. accounts.Select(account => account.Name)])
        {
            IsCut = _cut,
            IsLiedTo = _foundFalseStat,
            Had = had,
            ChangedAccounts = [.. _accounts.Where(pair => !known.TryGetValue(pair.Key, out var before) || before != pair.Value)
                .Select(pair => pair.Value)],
            UnclearReason = _unclear == 0 ? null : ExplainUnclear(),
        };
    }

    /// <summary>
    /// True if the account counts as having articles of the post. For a distrusted account, its last trusted answer counts: its denials may
    /// be false.
    /// </summary>
    private bool Has(HealthPost post, string account) =>
        _answers.TryGetValue(account, out var heard) && (heard.Yes > 0 || (heard.No > 1 && Of(account).DistrustedSince is null))
            ? heard.Yes > 0 : post.Had.Contains(account, StringComparer.Ordinal);

    private string ExplainUnclear() =>
        _silent.Count > 0 ? $"No answer that counts from {string.Join(", ", _silent)}."
        : _distrusted.Count > 0 ? $"The answers of {string.Join(", ", _distrusted)} do not count: it denies much that it had before."
        : "Not all that was asked for could be proven.";

    private async Task CheckArticleAsync(
        string article, long file, IReadOnlyList<ProbedAccount> accounts, int turn, CancellationToken cancellationToken)
    {
        if (prober.HasPatch(article))
        {
            _present.Add(article);
            return;
        }

        var open = false;
        for (var i = 0; i < accounts.Count; i++)
        {
            var account = accounts[(i + turn) % accounts.Count];
            if (!account.IsUp)
            {
                _silent.Add(account.Name);
                open = true;
                continue;
            }

            if (!await quota.TryStatAsync(cancellationToken))
            {
                _cut = true;
                return;
            }

            var answer = await prober.StatAsync(account.Name, article, cancellationToken);
            if (answer == ArticleAnswer.Missing)
                _truthful.Add(account.Name);
            if (answer == ArticleAnswer.Has && Of(account.Name).HasFalseStat())
                answer = await ProveAsync(account.Name, article, cancellationToken);
            if (answer == ArticleAnswer.Has)
            {
                CountAnswer(account.Name, yes: true);
                _present.Add(article);
                return;
            }

            if (answer == ArticleAnswer.Unknown)
                _silent.Add(account.Name);
            else
                CountAnswer(account.Name, yes: false);
            if (answer == ArticleAnswer.Missing && Of(account.Name).DistrustedSince is not null)
            {
                _distrusted.Add(account.Name);
                if (await CanDeliverAsync(account.Name, article, cancellationToken))
                {
                    _present.Add(article);
                    return;
                }

                answer = ArticleAnswer.Unknown;
            }

            open |= answer == ArticleAnswer.Unknown;
        }

        if (open || accounts.Count == 0)
            _unclear++;
        else
            _gone[article] = file;
    }

    /// <summary>The denials of an account that this check made distrusted do not count either.</summary>
    private void Disregard(string account)
    {
        if (_gone.Count == 0)
            return;
        _distrusted.Add(account);
        _unclear += _gone.Count;
        _gone.Clear();
    }

    /// <summary>Verifies by BODY an article that an account with an unreliable STAT claims to have.</summary>
    private async Task<ArticleAnswer> ProveAsync(string account, string article, CancellationToken cancellationToken)
    {
        if (_bodies <= 0 || !await quota.TryBodyAsync(cancellationToken))
            return ArticleAnswer.Unknown;
        _bodies--;
        var answer = await prober.BodyAsync(account, article, cancellationToken);
        if (answer != ArticleAnswer.Unknown)
            SetAccount(account, Of(account).AfterBody(answer == ArticleAnswer.Has));
        return answer;
    }

    /// <summary>True if a distrusted account can deliver an article that it denies.</summary>
    private async Task<bool> CanDeliverAsync(string account, string article, CancellationToken cancellationToken)
    {
        if (!Of(account).ShouldFetchProof(now) || _bodies <= 0 || !await quota.TryBodyAsync(cancellationToken))
            return false;
        _bodies -= MostBodies / 2;
        var answer = await prober.BodyAsync(account, article, cancellationToken);
        if (answer != ArticleAnswer.Unknown)
            SetAccount(account, Of(account).AfterDenied(answer == ArticleAnswer.Missing, now));
        return answer == ArticleAnswer.Has;
    }

    /// <summary>Fetches a sample article from an account that claims to have it; if that fails, two more.</summary>
    private async Task SampleAsync(IReadOnlyList<ProbedAccount> accounts, CancellationToken cancellationToken)
    {
        var account = accounts.Where(account => account is { IsUp: true, IsMetered: false } && !Of(account.Name).HasFalseStat()
            && _answers.GetValueOrDefault(account.Name).Yes > 0)
            .MinBy(account => Of(account.Name).Bodies);
        foreach (var article in account is null ? [] : _present.Where(article => !prober.HasPatch(article)).Take(3))
        {
            if (!await quota.TryBodyAsync(cancellationToken))
                return;
            var answer = await prober.BodyAsync(account!.Name, article, cancellationToken);
            if (answer == ArticleAnswer.Missing)
            {
                // The article may have been found on another account: only a positive STAT of this one makes its 430 a false answer.
                if (!await quota.TryStatAsync(cancellationToken)
                    || await prober.StatAsync(account.Name, article, cancellationToken) != ArticleAnswer.Has)
                    continue;
                _foundFalseStat = true;
            }

            if (answer != ArticleAnswer.Unknown)
                SetAccount(account.Name, Of(account.Name).AfterBody(answer == ArticleAnswer.Has));
            if (answer != ArticleAnswer.Missing)
                return;
        }
    }

    private HealthAccount Of(string account) => _accounts.GetValueOrDefault(account) ?? new HealthAccount(account);

    private void SetAccount(string account, HealthAccount learned) => _accounts[account] = learned;

    private void CountAnswer(string account, bool yes)
    {
        var (before, denied) = _answers.GetValueOrDefault(account);
        _answers[account] = yes ? (before + 1, denied) : (before, denied + 1);
    }
}

/// <summary>The result of one check of a post. Immutable.</summary>
/// <param name="Present">Articles that an account has, or that were reconstructed.</param>
/// <param name="Gone">Articles that every account denied, each with its file.</param>
/// <param name="Unclear">Number of articles for which not every account gave an answer that counts.</param>
/// <param name="Accounts">All accounts whose answers decide. Each of them denied every article in <paramref name="Gone"/>.</param>
internal sealed record CheckFinding(
    IReadOnlySet<string> Present, IReadOnlyDictionary<string, long> Gone, int Unclear, IReadOnlyList<string> Accounts)
{
    /// <summary>True if the quota ran out before the check was complete.</summary>
    public bool IsCut { get; init; }

    /// <summary>True if an account's STAT confirmed an article that it could not deliver.</summary>
    public bool IsLiedTo { get; init; }

    /// <summary>Accounts that have articles of the post.</summary>
    public IReadOnlyList<string> Had { get; init; } = [];

    /// <summary>The accounts about which something was learned.</summary>
    public IReadOnlyList<HealthAccount> ChangedAccounts { get; init; } = [];

    /// <summary>Why articles are unclear, as a sentence; null: none are.</summary>
    public string? UnclearReason { get; init; }

    /// <summary>Number of articles that were asked for.</summary>
    public int Checked => Present.Count + Gone.Count + Unclear;
}
