package dev.kubeinformer.applyfuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import tools.jackson.databind.node.ObjectNode;

/**
 * One object that the operator applies, and its double that is applied each time.
 */
final class FuzzChild {

	final FuzzType type;

	final String name;

	final List<FuzzStep> history = new ArrayList<>();

	/** The owner of the double, which does not exist. */
	final String doubleOwner = UUID.randomUUID().toString();

	String owner = "";

	volatile ObjectNode wanted;

	/** The version of the double as it was last seen. */
	String version = "";

	/** Whether a write that changed nothing was sent since the process began. */
	boolean undecided;

	/**
	 * Whether the API server refuses the desired state, so that nothing can be compared.
	 */
	boolean refused;

	/**
	 * Whether the objects of both may differ from now on: others hold a field that the
	 * operator of the double has taken from them, because it applied the same value in
	 * another notation again, or have added a field to an atomic map.
	 */
	boolean incomparable;

	FuzzChild(FuzzType type, String name, ObjectNode wanted) {
		this.type = type;
		this.name = name;
		this.wanted = wanted;
	}

	String path() {
		return this.type.path(FuzzWorld.OURS, "s-" + this.name);
	}

	String doublePath() {
		return this.type.path(FuzzWorld.DOUBLES, "r-" + this.name);
	}

	String nameAt(boolean ours) {
		return (ours ? "s-" : "r-") + this.name;
	}

	@Override
	public String toString() {
		return this.type + " '" + this.name + "'";
	}

}
