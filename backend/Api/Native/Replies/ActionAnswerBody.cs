namespace NzbDav.Api.Native.Replies;

/// <summary>What came of an action on several things.</summary>
/// <param name="Done">How many it was done to.</param>
/// <param name="Refused">The others.</param>
internal sealed record ActionAnswerBody(int Done, IReadOnlyList<ActionRefusalBody> Refused);
