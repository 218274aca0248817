using NzbDav.Api.Completion;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Tests;

/// <summary>A mount whose listing the test sets.</summary>
internal sealed class StubCompletion : ICompletion
{
    public bool Visible { get; set; } = true;

    public bool IsVisible(CatalogJob job) => Visible;
}
