using NzbDav.Access.Keys;

namespace NzbDav.Access.Callers;

/// <summary>What a route asks of its callers. Metadata of its endpoint; see <see cref="AccessRules"/>.</summary>
internal sealed record AccessRule
{
    /// <summary>What the caller must be allowed.</summary>
    public ApiRights Rights { get; init; } = ApiRights.Full;

    /// <summary>Anybody may come; the route decides for itself.</summary>
    public bool IsOpen { get; init; }

    /// <summary>The caller must have entered the password again: see <see cref="Sessions.PasswordAgain"/>.</summary>
    public bool IsConfirmed { get; init; }

    /// <summary>Runs before there can be a CSRF token: the browser's statement of the request's origin is enough.</summary>
    public bool BeginsSession { get; init; }
}
