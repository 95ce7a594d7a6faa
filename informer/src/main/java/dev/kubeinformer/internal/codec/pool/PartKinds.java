package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.Nullable;

/**
 * Table of the known kinds of parts. A lookup does not allocate memory.
 */
final class PartKinds {

	private @Nullable PartKind[] kinds = new PartKind[32];

	private int count;

	/**
	 * Returns the kind for a decoder and a shape.
	 * @param decoder the decoder
	 * @param shape the shape
	 * @return the kind, always the same instance
	 */
	PartKind of(Object decoder, int shape) {
		int mask = this.kinds.length - 1;
		int slot = slot(decoder, shape);
		for (PartKind kind = this.kinds[slot]; kind != null; kind = this.kinds[slot]) {
			if (kind.is(decoder, shape)) {
				return kind;
			}
			slot = (slot + 1) & mask;
		}
		PartKind added = new PartKind(decoder, shape);
		this.kinds[slot] = added;
		this.count++;
		if (2 * this.count > this.kinds.length) {
			grow();
		}
		return added;
	}

	private int slot(Object decoder, int shape) {
		return (4 * System.identityHashCode(decoder) + shape) & (this.kinds.length - 1);
	}

	private void grow() {
		@Nullable PartKind[] before = this.kinds;
		this.kinds = new PartKind[2 * before.length];
		for (PartKind kind : before) {
			if (kind != null) {
				int slot = slot(kind.decoder(), kind.shape());
				while (this.kinds[slot] != null) {
					slot = (slot + 1) & (this.kinds.length - 1);
				}
				this.kinds[slot] = kind;
			}
		}
	}

}
