package dev.kubeinformer.internal.store;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Removes duplicates from a list. A server that reads each page live, without the
 * snapshot of the first one, may list an object before and after it was recreated.
 */
final class ListedOnce {

	private ListedOnce() {
	}

	/**
	 * Returns the objects of a list, each key once: of several states of a key the
	 * newest, or the last one if their versions cannot be compared.
	 * @param <T> the model class
	 * @param listed the objects of the list
	 * @return the same collection if no key comes twice
	 */
	static <T> Collection<StoredObject<T>> newest(Collection<StoredObject<T>> listed) {
		if (isInOrder(listed)) {
			return listed;
		}
		Map<ObjectKey, StoredObject<T>> newest = new LinkedHashMap<>(listed.size() * 2);
		for (StoredObject<T> object : listed) {
			newest.merge(object.key(), object,
					(before, next) -> ResourceVersions.isOlder(next.resourceVersion(), before.resourceVersion())
							? before : next);
		}
		return (newest.size() == listed.size()) ? listed : newest.values();
	}

	// Most lists are in the order of etcd's keys, which proves that no key comes twice,
	// so
	// that they need no table of keys.
	private static boolean isInOrder(Collection<? extends StoredObject<?>> listed) {
		Set<String> namespaces = new HashSet<>();
		String namespace = null;
		String name = "";
		for (StoredObject<?> object : listed) {
			boolean same = object.namespace().equals(namespace);
			if (same ? object.name().compareTo(name) <= 0 : !namespaces.add(object.namespace())) {
				return false;
			}
			namespace = object.namespace();
			name = object.name();
		}
		return true;
	}

}
