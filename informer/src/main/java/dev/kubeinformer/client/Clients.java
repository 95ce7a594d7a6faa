package dev.kubeinformer.client;

/**
 * Makes clients that connect wherever {@code kubectl} does.
 */
public final class Clients {

	private Clients() {
	}

}
