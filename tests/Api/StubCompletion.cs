using NzbDav.Api.Completion;
using NzbDav.Catalog;

namespace NzbDav.Api.Tests;

/// <summary>A mount that lists what it is told to.</summary>
internal sealed class StubCompletion : ICompletion
{
    public bool Visible { get; set; } = true;

    public bool IsVisible(CatalogJob job) => Visible;
}
