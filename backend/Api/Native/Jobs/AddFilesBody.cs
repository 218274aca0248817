using Microsoft.AspNetCore.Http;

namespace NzbDav.Api.Native.Jobs;

/// <summary>A form with files to add. Only for the API document: the form itself is read as a stream.</summary>
/// <param name="File">.nzb files, plain or in .gz, .bz2 or .zip, .torrent and .magnet files; at most 1,000.</param>
/// <param name="Category">The category of the jobs; left out: the default category.</param>
/// <param name="Priority">Higher priorities run first; left out: 0.</param>
/// <param name="Password">For encrypted archives.</param>
/// <param name="Paused">Add the jobs paused.</param>
internal sealed record AddFilesBody(IReadOnlyList<IFormFile> File, string? Category = null, int? Priority = null, string? Password = null, bool? Paused = null);
