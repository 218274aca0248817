namespace NzbDav.Arr.Client;

/// <summary>Why a call failed.</summary>
public enum ArrErrorKind
{
    /// <summary>No connection: the name, the port or TLS failed, or the connection broke.</summary>
    Unreachable,

    /// <summary>No complete answer within the time-out.</summary>
    TimedOut,

    /// <summary>401 or 403: the API key is wrong, or a proxy in front asks for a sign-in.</summary>
    Unauthorized,

    /// <summary>404 from the API: no such item.</summary>
    NotFound,

    /// <summary>400 or 409: the application rejected the data; see <see cref="ArrError.Validations"/>.</summary>
    Rejected,

    /// <summary>Any other status that is not a success.</summary>
    Failed,

    /// <summary>The answer does not come from the API: it is an HTML page, or JSON of another shape. The usual cause is a wrong URL base.</summary>
    NotArr,

    /// <summary>A redirect that is not followed, because it would send the API key elsewhere or change the call.</summary>
    Redirected,

    /// <summary>The answer is longer than <see cref="ArrOptions.LongestAnswer"/>, or a list has more than <see cref="ArrOptions.MostRows"/> rows.</summary>
    TooLarge,

    /// <summary>The application has no such call (Prowlarr has no queue, for instance). Nothing was sent.</summary>
    NotSupported,
}
