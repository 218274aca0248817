namespace NzbDav.Library.Media;

/// <summary>A file's headers led to more reading than any honest file needs.</summary>
internal sealed class MediaLimitException : Exception;
