namespace NzbDav.Catalog.Tree;

/// <summary>
/// SQL fragments that walk the tree item by item, for items that may lie anywhere. Items of a post have its id in <c>items.post_id</c>: see
/// <see cref="ItemRow.PostId"/>.
/// </summary>
internal static class TreeSql
{
    /// <summary>Follows a column: the condition that it is the item <c>@id</c> or one below it.</summary>
    public const string IsWithin =
        "IN (WITH RECURSIVE subtree (id) AS (SELECT id FROM items WHERE id = @id " +
        "UNION ALL SELECT items.id FROM items JOIN subtree ON items.parent_id = subtree.id) SELECT id FROM subtree)";

    /// <summary>Begins a statement: <c>line</c> has the item <c>@id</c> at depth 0 and its ancestors, the root last.</summary>
    public const string Line =
        "WITH RECURSIVE line (id, parent_id, name, depth) AS (SELECT id, parent_id, name, 0 FROM items WHERE id = @id " +
        "UNION ALL SELECT items.id, items.parent_id, items.name, line.depth + 1 FROM items JOIN line ON items.id = line.parent_id) ";

    /// <summary>
    /// Sets the post of the item <c>@id</c>, which lies <c>@level</c> below the root, to <c>@post</c>, and that of all items below it. An
    /// item <see cref="PostLevel"/> below the root is a post itself.
    /// </summary>
    public const string SetPosts =
        "WITH RECURSIVE moved (id, post_id, level) AS (SELECT id, CAST(@post AS BIGINT), CAST(@level AS BIGINT) FROM items " +
        "WHERE id = @id UNION ALL SELECT items.id, CASE WHEN moved.level = 2 THEN items.id ELSE moved.post_id END, moved.level + 1 " +
        "FROM items JOIN moved ON items.parent_id = moved.id) " +
        "UPDATE items SET post_id = moved.post_id FROM moved WHERE moved.id = items.id";

    /// <summary>The depth of posts below the root: <c>/content/CATEGORY/POST</c>.</summary>
    public const int PostLevel = 3;
}
