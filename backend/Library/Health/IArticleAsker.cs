namespace NzbDav.Library.Health;

/// <summary>Asks accounts for articles, behind all readers and imports. Thread-safe.</summary>
public interface IArticleAsker
{
    /// <summary>The accounts that have a say in what is missing, in the order of the settings. One that is down is among them; a used-up block is not.</summary>
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
