namespace NzbDav.Import.Intake;

/// <summary>The content of an uploaded file: one or more .nzb files, or why there is none.</summary>
/// <param name="Parts">Each with the name it had inside a zip (null: that of the upload) and its bytes; the caller disposes the streams.</param>
/// <param name="Error">What is wrong, as a sentence; null on success.</param>
/// <param name="TooLarge">True if the unpacked content is too large.</param>
internal sealed record UnpackedNzb(IReadOnlyList<(string? Name, Stream Stream)> Parts, string? Error, bool TooLarge = false);
