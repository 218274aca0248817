namespace NzbDav.Library.Health;

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
