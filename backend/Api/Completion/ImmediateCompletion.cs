using NzbDav.Catalog;

namespace NzbDav.Api.Completion;

/// <summary>The tree shows what is published in the moment in which it is; without a mount that remembers listings nobody has to be told.</summary>
public sealed class ImmediateCompletion : ICompletion
{
    /// <inheritdoc/>
    public bool IsVisible(CatalogJob job) => true;
}
