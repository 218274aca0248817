namespace NzbDav.Api.Native.Replies;

/// <summary>Something to which an action was not done.</summary>
/// <param name="Id">What.</param>
/// <param name="Reason">Why, for people.</param>
internal sealed record ActionRefusalBody(string Id, string Reason);
