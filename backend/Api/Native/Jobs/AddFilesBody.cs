using Microsoft.AspNetCore.Http;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Files to be added, as a form. For the API's document: the form is read as it comes.</summary>
/// <param name="File">.nzb files, plain or in .gz, .bz2 or .zip, .torrent and .magnet files; at most 1,000.</param>
/// <param name="Category">Where the jobs go; left out: the default.</param>
/// <param name="Priority">Higher goes first; left out: 0.</param>
/// <param name="Password">For encrypted archives.</param>
/// <param name="Paused">Hold them back.</param>
internal sealed record AddFilesBody(IReadOnlyList<IFormFile> File, string? Category = null, int? Priority = null, string? Password = null, bool? Paused = null);
