namespace NzbDav.Arr.Client;

/// <summary>What went wrong with a call.</summary>
public enum ArrErrorKind
{
    /// <summary>No connection: name, port, TLS, or the connection broke.</summary>
    Unreachable,

    /// <summary>No whole answer within the time-out.</summary>
    TimedOut,

    /// <summary>401 or 403: the API key is wrong, or a proxy in front asks for a sign-in.</summary>
    Unauthorized,

    /// <summary>404 from the API: no such item.</summary>
    NotFound,

    /// <summary>400 or 409: the application says what it dislikes; see <see cref="ArrError.Validations"/>.</summary>
    Rejected,

    /// <summary>Any other status that is not a success.</summary>
    Failed,

    /// <summary>The answer is not the API's: a page of HTML, or JSON of another shape. Mostly a wrong URL base.</summary>
    NotArr,

    /// <summary>A redirect that is not followed, because the API key would go elsewhere or the call would become another one.</summary>
    Redirected,

    /// <summary>The answer is longer than <see cref="ArrOptions.LongestAnswer"/>, or a list has more rows than are read.</summary>
    TooLarge,

    /// <summary>The application has no such call (Prowlarr has no queue, for instance). Nothing was sent.</summary>
    NotSupported,
}
