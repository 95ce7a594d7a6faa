package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Collector of the changes of a page.
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
	 * Changes what is in a place.
	 * @param at the place
	 * @param entry what is there from now on, {@code null} for nothing
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
	 * Adds an entry. Entries are added in the order of their hashes and names.
	 * @param at the place of what comes behind it
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
		// What is added in a place comes before what is removed from it, and in the order
		// of hashes and names, in which all was added here.
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
	 * New object of a name that stays.
	 *
	 * @param <T> the model class
	 * @param at its place
	 * @param entry the entry
	 */
	record Exchange<T>(int at, StoredObject<T> entry) {

	}

	/**
	 * Name that comes or goes.
	 *
	 * @param <T> the model class
	 * @param at its place, or that of the next one
	 * @param entry the entry that comes, {@code null} if it goes
	 * @param hash the hash of the name that comes
	 */
	private record Edit<T>(int at, @Nullable StoredObject<T> entry, int hash) {

	}

}
