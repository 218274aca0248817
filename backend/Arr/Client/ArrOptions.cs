namespace NzbDav.Arr.Client;

/// <summary>How to reach one instance. Immutable; validate with <see cref="Problem"/>.</summary>
public sealed record ArrOptions
{
    /// <summary>The application.</summary>
    public required ArrApplication Application { get; init; }

    /// <summary>
    /// Address with the URL base, as in a browser: <c>http://sonarr:8989/sonarr</c>. A trailing slash or <c>/api/v3</c> is ignored.
    /// </summary>
    public required string Url { get; init; }

    /// <summary>The key under Settings → General → API key. Sent as <c>X-Api-Key</c>, to this host only.</summary>
    public required string ApiKey { get; init; }

    /// <summary>
    /// Time-out of one attempt, from connecting to the last byte. 1 s to 10 minutes; default 30 s (Radarr's list of all films takes seconds
    /// on small machines).
    /// </summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Time-out for testing and saving a download client, when the application calls back here. Default 100 s, the applications'
    /// own time-out.</summary>
    public TimeSpan TestTimeout { get; init; } = TimeSpan.FromSeconds(100);

    /// <summary>How often a call is repeated after a temporary failure; 0 to 10, default 2.</summary>
    public int Retries { get; init; } = 2;

    /// <summary>Delay before the first repetition, doubled for each further one; default 1 s. A Retry-After of the server takes precedence,
    /// up to 30 s.</summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Longest answer in bytes; default 64 MiB (10,000 films with all their fields take about 40).</summary>
    public int LongestAnswer { get; init; } = 64 << 20;

    /// <summary>Rows to request per page; default 200. The applications' own default is 10.</summary>
    public int PageSize { get; init; } = 200;

    /// <summary>
    /// Most rows of one list; default 20,000. A longer list is an error and is not cut off. It also ends the reading if a server reports a
    /// wrong count.
    /// </summary>
    public int MostRows { get; init; } = 20_000;

    /// <summary>What is wrong with these options and what to do; null if they are valid.</summary>
    public string? Problem()
    {
        if (!Enum.IsDefined(Application))
            return "The application must be Sonarr, Radarr, Lidarr or Prowlarr.";
        if (!Uri.TryCreate(Url, UriKind.Absolute, out var uri) || (uri.Scheme != Uri.UriSchemeHttp && uri.Scheme != Uri.UriSchemeHttps))
            return $"\"{Url}\" is not an address: write it like http://sonarr:8989 or https://host/sonarr.";
        if (uri.Query.Length > 0 || uri.Fragment.Length > 0 || uri.UserInfo.Length > 0)
            return "The address must have no user, query or fragment: write it like http://sonarr:8989.";
        if (string.IsNullOrWhiteSpace(ApiKey) || ApiKey.Any(c => c is <= ' ' or > '~'))
            return "The API key is missing or has invalid characters: copy it from Settings, General.";
        if (Timeout < TimeSpan.FromSeconds(1) || Timeout > TimeSpan.FromMinutes(10) || TestTimeout < TimeSpan.FromSeconds(1)
            || TestTimeout > TimeSpan.FromMinutes(10))
            return "Time-outs must be between one second and ten minutes.";
        if (Retries is < 0 or > 10 || RetryDelay < TimeSpan.Zero || RetryDelay > TimeSpan.FromMinutes(1))
            return "There can be 0 to 10 retries, with up to a minute before the first.";
        return PageSize is < 1 or > 1000 || MostRows < PageSize || LongestAnswer < 1024
            ? "Pages have 1 to 1000 rows, lists at least one page, answers at least 1024 bytes."
            : null;
    }

    /// <summary>Application and address, without the key, so that it cannot get into a log.</summary>
    public override string ToString() => $"{Application} at {Url}";
}

/// <summary>The supported applications. They differ in API version and in the names of some fields.</summary>
public enum ArrApplication
{
    /// <summary>Series; api/v3.</summary>
    Sonarr,

    /// <summary>Films; api/v3.</summary>
    Radarr,

    /// <summary>Music; api/v1.</summary>
    Lidarr,

    /// <summary>Indexers; api/v1. Has no queue, files or history of imports.</summary>
    Prowlarr,
}
