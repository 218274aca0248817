namespace NzbDav.Arr.Resources;

/// <summary>A row of a paged list.</summary>
internal interface IArrRow
{
    /// <summary>Its id, unique in the list.</summary>
    int Id { get; }
}
