namespace NzbDav.Api.Native.Replies;

/// <summary>An item for which an action was refused.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Reason">Why, in words.</param>
public sealed record RefusedBody(string Id, string Reason);
