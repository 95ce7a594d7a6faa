package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Collects the changes of a page.
 *
 * @param <T> the model class
 */
final class PageEdits<T> {

	private final NamePage<T> page;

	private final List<Exchange<T>> exchanges = new ArrayList<>(1);

	private final List<Edit<T>> edits = new ArrayList<>(1);

	private int size;

	private int width;

	PageEdits(NamePage<T> page) {
		this.page = page;
		this.size = page.size();
	}

	/**
	 * Changes the entry at a position.
	 * @param at the position
	 * @param entry the new entry; {@code null} to remove it
	 */
	void set(int at, @Nullable StoredObject<T> entry) {
		if (entry != null) {
			this.exchanges.add(new Exchange<>(at, entry));
		}
		else {
			this.edits.add(new Edit<>(at, null, 0));
			this.size--;
		}
	}

	/**
	 * Adds an entry. Entries must be added in the order of their hashes and names.
	 * @param at the position of the following entry
	 * @param entry the entry
	 * @param hash the hash of its name
	 */
	void add(int at, StoredObject<T> entry, int hash) {
		this.edits.add(new Edit<>(at, entry, hash));
		this.size++;
		this.width = Math.max(this.width, NamePage.width(entry.name()));
	}

	NamePage<T> apply() {
		NamePage<T> replaced = this.exchanges.isEmpty() ? this.page : this.page.with(this.exchanges);
		if (this.edits.isEmpty()) {
			return replaced;
		}
		// At one position additions come before a removal. The sort is stable, so
		// additions keep the order of hashes and names in which they were added.
		this.edits.sort(Comparator.<Edit<T>>comparingInt(Edit::at).thenComparing((edit) -> edit.entry() == null));
		NamePage.Writer<T> writer = new NamePage.Writer<>(this.size,
				Math.max(this.width, this.page.width(0, this.page.size())));
		int from = 0;
		for (Edit<T> edit : this.edits) {
			writer.addAll(replaced, from, edit.at());
			from = edit.at();
			if (edit.entry() != null) {
				writer.add(edit.entry(), edit.hash());
			}
			else {
				from++;
			}
		}
		writer.addAll(replaced, from, replaced.size());
		return writer.page();
	}

	/**
	 * New object under an existing name.
	 *
	 * @param <T> the model class
	 * @param at the position of the name
	 * @param entry the entry
	 */
	record Exchange<T>(int at, StoredObject<T> entry) {

	}

	/**
	 * Added or removed name.
	 *
	 * @param <T> the model class
	 * @param at the position of a removed name, or of the name that follows an added one
	 * @param entry the added entry; {@code null} for a removal
	 * @param hash the hash of an added name
	 */
	private record Edit<T>(int at, @Nullable StoredObject<T> entry, int hash) {

	}

}
