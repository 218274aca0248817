namespace NzbDav.Catalog;

/// <summary>Where a job comes from that is brought over from another program, and the paths under which its files are to be found as before.</summary>
/// <param name="Source">The program and its library: <c>nzbdav</c>.</param>
/// <param name="Title">Its id there, the same in every run.</param>
/// <param name="Files">Its files there.</param>
public sealed record MovedTitle(string Source, string Title, IReadOnlyList<MovedFile> Files);
