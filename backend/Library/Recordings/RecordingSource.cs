using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content.Recording;
using NzbDav.Usenet;

namespace NzbDav.Library.Recordings;

/// <summary>What recordings are made of.</summary>
/// <param name="Timeline">The last minutes.</param>
/// <param name="Usenet">Tells how the accounts are configured.</param>
/// <param name="Tree">Finds the files.</param>
/// <param name="Maps">Where their articles are.</param>
public sealed record RecordingSource(Timeline Timeline, UsenetClient Usenet, TreeStore Tree, ExtentMapStore Maps);
