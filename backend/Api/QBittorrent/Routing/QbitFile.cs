using NzbDav.Import.Intake;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>A file of a form.</summary>
/// <param name="Name">The name given by the client.</param>
/// <param name="Content">The received bytes; owned by the form.</param>
internal sealed record QbitFile(string Name, IntakeFile Content);
