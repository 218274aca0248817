namespace NzbDav.Import;

/// <summary>What came out of an uploaded file: one or more .nzb files, or why there is none.</summary>
/// <param name="Parts">Each with the name it had inside a zip (null: that of the upload) and its bytes; the caller disposes the streams.</param>
/// <param name="Error">In words; null on success.</param>
/// <param name="TooLarge">The error is the size of what is inside.</param>
internal sealed record UnpackedNzb(IReadOnlyList<(string? Name, Stream Stream)> Parts, string? Error, bool TooLarge = false);
