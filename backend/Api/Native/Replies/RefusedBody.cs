namespace NzbDav.Api.Native;

/// <summary>Something that an action was not done with.</summary>
/// <param name="Id">Which.</param>
/// <param name="Reason">Why, in words.</param>
public sealed record RefusedBody(string Id, string Reason);
