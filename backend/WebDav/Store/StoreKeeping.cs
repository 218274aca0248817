namespace NzbDav.WebDav.Store;

/// <summary>What an item keeps of what clients attach to it: decides about locks and properties.</summary>
public enum StoreKeeping
{
    /// <summary>Nothing: LOCK and PROPPATCH are refused with 403, as this part of the tree belongs to the program.</summary>
    Nothing,

    /// <summary>
    /// Takes uploads that go elsewhere: locks are given, as Finder and Explorer ask for one before each upload; the file times and
    /// attributes that Explorer sets afterwards are answered with 200 and forgotten, other properties refused.
    /// </summary>
    Uploads,

    /// <summary>Locks, and all properties, for as long as the item lives.</summary>
    Everything,
}
