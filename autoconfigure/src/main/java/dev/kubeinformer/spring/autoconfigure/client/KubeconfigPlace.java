package dev.kubeinformer.spring.autoconfigure.client;

/**
 * What named a kubeconfig.
 *
 * @param origin the property, variable or place, for people
 * @param prefix the prefix of the properties that may name another one
 */
record KubeconfigPlace(String origin, String prefix) {

}
