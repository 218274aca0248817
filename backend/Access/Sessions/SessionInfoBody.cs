namespace NzbDav.Access.Sessions;

/// <summary>A browser that is signed in.</summary>
/// <param name="Id">Names it; opens nothing.</param>
/// <param name="Username">Whose it is.</param>
/// <param name="Via">How it began: <c>password</c> or <c>oidc</c>.</param>
/// <param name="Begun">When.</param>
/// <param name="LastSeen">Its latest request, to the minute.</param>
/// <param name="Address">Where that came from.</param>
/// <param name="Program">What asked, in short: <c>Firefox on Linux</c>; null when it did not say.</param>
/// <param name="Current">True for the one that asks.</param>
internal sealed record SessionInfoBody(string Id, string Username, string Via, DateTimeOffset Begun, DateTimeOffset LastSeen, string? Address, string? Program, bool Current);
