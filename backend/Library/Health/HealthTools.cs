using NzbDav.Catalog.Health;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>The dependencies of health checks and of the steps that follow them.</summary>
/// <param name="Store">What is known of posts.</param>
/// <param name="Holds">What libraries have links to.</param>
/// <param name="Tree">The posts and their files.</param>
/// <param name="Maps">Their articles.</param>
/// <param name="Asker">The accounts.</param>
/// <param name="Mender">Repairs.</param>
/// <param name="Reader">Reads files.</param>
/// <param name="Replacements">The *arrs.</param>
/// <param name="Options">What may be done.</param>
/// <param name="Time">Clock.</param>
public sealed record HealthTools(
    HealthStore Store,
    HoldStore Holds,
    TreeStore Tree,
    ExtentMapStore Maps,
    IArticleAsker Asker,
    IPostMender Mender,
    IHealthReader Reader,
    IReplacements Replacements,
    Live<HealthOptions> Options,
    TimeProvider Time);
