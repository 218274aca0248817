namespace NzbDav.Access;

/// <summary>What a route asks of its callers. Metadata of its endpoint; see <see cref="AccessRules"/>.</summary>
internal sealed record AccessRule
{
    /// <summary>What the caller must be allowed.</summary>
    public ApiRights Rights { get; init; } = ApiRights.Full;

    /// <summary>Anybody may come; the route decides for itself.</summary>
    public bool IsOpen { get; init; }

    /// <summary>Comes before there can be a token against forged requests: a browser's word for where the request comes from is enough.</summary>
    public bool BeginsSession { get; init; }
}
