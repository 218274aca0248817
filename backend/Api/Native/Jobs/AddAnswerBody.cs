namespace NzbDav.Api.Native.Jobs;

/// <summary>The results of adding files or links.</summary>
/// <param name="Results">In order, one for each file, each link, and each .nzb in a zip.</param>
internal sealed record AddAnswerBody(IReadOnlyList<AddResultBody> Results);
