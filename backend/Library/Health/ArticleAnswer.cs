namespace NzbDav.Library.Health;

/// <summary>What an account said of an article.</summary>
public enum ArticleAnswer
{
    /// <summary>Nothing that counts: no answer in time, not connected, refused.</summary>
    Unknown,

    /// <summary>It has it.</summary>
    Has,

    /// <summary>430: it does not.</summary>
    Missing,
}
