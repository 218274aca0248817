namespace NzbDav.Library.Health;

/// <summary>Asks accounts for articles, with lower priority than all readers and imports. Thread-safe.</summary>
public interface IArticleProber
{
    /// <summary>
    /// The accounts whose answers decide what is missing, in the order of the settings. Includes accounts that are down, but not used-up
    /// blocks.
    /// </summary>
    IReadOnlyList<ProbedAccount> Accounts { get; }

    /// <summary>True while a reader waits: checks should pause.</summary>
    bool IsBusy { get; }

    /// <summary>True when an article was reconstructed from recovery data.</summary>
    bool HasPatch(string article);

    /// <summary>Asks one account by STAT.</summary>
    /// <param name="account">The name of one of <see cref="Accounts"/>.</param>
    /// <param name="article">The id of the article in a file's map.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ArticleAnswer> StatAsync(string account, string article, CancellationToken cancellationToken);

    /// <summary>Fetches the article from one account and discards it. Only a 430 counts as <see cref="ArticleAnswer.Missing"/>.</summary>
    /// <inheritdoc cref="StatAsync"/>
    Task<ArticleAnswer> BodyAsync(string account, string article, CancellationToken cancellationToken);
}

/// <summary>An account's answer about an article.</summary>
public enum ArticleAnswer
{
    /// <summary>No usable answer: none in time, not connected, or refused.</summary>
    Unknown,

    /// <summary>The account has it.</summary>
    Has,

    /// <summary>430: the account does not have it.</summary>
    Missing,
}

/// <summary>An account that checks can ask. Immutable.</summary>
/// <param name="Name">Its name; unique.</param>
/// <param name="IsUp">It can be asked now.</param>
/// <param name="IsMetered">Its bytes count against a quota or a block: checks fetch no samples from it.</param>
public sealed record ProbedAccount(string Name, bool IsUp, bool IsMetered);
