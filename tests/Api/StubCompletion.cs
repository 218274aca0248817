using NzbDav.Api.Completion;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Tests;

/// <summary>A mount whose listing the test sets.</summary>
internal sealed class StubCompletion : ICompletion
{
    public event Action? Shown;

    public bool Visible { get; set; } = true;

    /// <summary>The mount has read its folders again.</summary>
    public void Show()
    {
        Visible = true;
        Shown?.Invoke();
    }

    public bool IsVisible(CatalogJob job) => Visible;
}
