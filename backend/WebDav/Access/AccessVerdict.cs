namespace NzbDav.WebDav.Access;

/// <summary>Whether a request may go on.</summary>
internal enum AccessVerdict
{
    /// <summary>Yes.</summary>
    Granted,

    /// <summary>401: no credentials, or wrong ones.</summary>
    Denied,

    /// <summary>429: not looked at, this address has guessed too often.</summary>
    Throttled,
}
