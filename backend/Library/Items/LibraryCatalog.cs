using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Items;

/// <summary>The parts of the catalog that the tree is built from.</summary>
/// <param name="Tree">Collections and files.</param>
/// <param name="Jobs">What waits, runs or failed.</param>
/// <param name="Blobs">The .nzb files.</param>
/// <param name="Links">Links for the *arrs, and stable paths.</param>
/// <param name="Holds">What libraries have links to.</param>
/// <param name="Aliases">Paths of other programs that lead to files here.</param>
public sealed record LibraryCatalog(TreeStore Tree, JobStore Jobs, BlobStore Blobs, LinkStore Links, HoldStore Holds, AliasStore Aliases);
