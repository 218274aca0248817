namespace NzbDav.Api.Native.Jobs;

/// <summary>What became of what was brought.</summary>
/// <param name="Results">In order: for each file or link; for each .nzb of a zip.</param>
internal sealed record AddAnswerBody(IReadOnlyList<AddResultBody> Results);
