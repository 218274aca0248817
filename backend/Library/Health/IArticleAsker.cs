namespace NzbDav.Library.Health;

/// <summary>Asks accounts for articles, behind all readers and imports. Thread-safe.</summary>
public interface IArticleAsker
{
    /// <summary>The accounts that have a say in what is missing, in the order of the settings. One that is down is among them; a used-up
    /// block is not.</summary>
    IReadOnlyList<AskedAccount> Accounts { get; }

    /// <summary>True while a reader waits: checks should give way.</summary>
    bool IsBusy { get; }

    /// <summary>True when an article was reconstructed from recovery data.</summary>
    bool IsMade(string article);

    /// <summary>Asks one account by STAT.</summary>
    /// <param name="account">The name of one of <see cref="Accounts"/>.</param>
    /// <param name="article">What stands for the article in a file's map.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ArticleAnswer> StatAsync(string account, string article, CancellationToken cancellationToken);

    /// <summary>Fetches the article from one account and throws it away. Only a 430 is <see cref="ArticleAnswer.Missing"/>.</summary>
    /// <inheritdoc cref="StatAsync"/>
    Task<ArticleAnswer> BodyAsync(string account, string article, CancellationToken cancellationToken);
}

/// <summary>What an account said of an article.</summary>
public enum ArticleAnswer
{
    /// <summary>No usable answer: none in time, not connected, or refused.</summary>
    Unknown,

    /// <summary>It has it.</summary>
    Has,

    /// <summary>430: it does not.</summary>
    Missing,
}

/// <summary>An account that checks ask. Immutable.</summary>
/// <param name="Name">Its name; no other has the same.</param>
/// <param name="IsUp">It can be asked now.</param>
/// <param name="IsMetered">Its bytes are counted against a quota or a block: nothing is fetched from it for a check.</param>
public sealed record AskedAccount(string Name, bool IsUp, bool IsMetered);
