namespace NzbDav.MockUsenet.Articles;

/// <summary>An irregularity of an article as it was posted. What a provider does to an article is a <c>Fault</c>.</summary>
[Flags]
public enum ArticleShape
{
    /// <summary>None.</summary>
    Regular = 0,

    /// <summary>The =yend line has size and part but no CRC.</summary>
    NoTrailingCrc = 1,

    /// <summary>Plain text instead of yEnc.</summary>
    NotYenc = 2,

    /// <summary>The =ybegin line has a wrong file size.</summary>
    WrongFileSize = 4,

    /// <summary>The bytes as uuencode.</summary>
    Uuencode = 8,

    /// <summary>The bytes as base64, in a MIME part.</summary>
    Base64 = 16,
}
