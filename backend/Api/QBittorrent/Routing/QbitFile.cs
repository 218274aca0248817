using NzbDav.Import;

namespace NzbDav.Api.QBittorrent;

/// <summary>A file of a form.</summary>
/// <param name="Name">As the client calls it.</param>
/// <param name="Content">What came; the form's.</param>
internal sealed record QbitFile(string Name, IntakeFile Content);
